/** A variable that the stack must have set; its absence is a fault of the deployment, and names itself. */
export function env(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
