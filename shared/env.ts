/** Returns an environment variable that the stack sets. Throws if it is missing, naming it. */
export function env(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
