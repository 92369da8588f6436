/**
 * Returns an environment variable that the stack sets. If it is missing or empty, throws an error
 * with its name.
 */
export function env(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
