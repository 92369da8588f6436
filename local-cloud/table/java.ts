import { Problem } from '../../lib/problem.ts';

/** Minimum version for DynamoDB Local. */
const minVersion = 17;

const installations: Partial<Record<NodeJS.Platform, string>> = {
  darwin: `brew install openjdk@${minVersion}`,
  linux: `sudo apt-get install openjdk-${minVersion}-jre-headless`,
  win32: `winget install EclipseAdoptium.Temurin.${minVersion}.JRE`,
};

const cure = () =>
  installations[process.platform] ?? `install Java ${minVersion} from https://adoptium.net`;

/** With JAVA_HOME set, installing another Java has no effect, so the message names it. */
function needed(faultOf: (where: string) => string): Problem {
  const home = process.env.JAVA_HOME;
  const where = home ? `in JAVA_HOME (${home})` : 'here';
  const first = home ? 'set it to another Java, or unset it. To install one: ' : '';
  return new Problem(
    `Java ${minVersion} or newer is needed, and ${faultOf(where)}: ${first}${cure()}`,
  );
}

export const noJava = () => needed((where) => `there is no java ${where}`);

export const oldJava = () => needed((where) => `the java ${where} is older`);
