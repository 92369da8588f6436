import { Problem } from '../../lib/problem.ts';

/** Minimum Java version for DynamoDB Local. */
const minVersion = 17;

const installations: Partial<Record<NodeJS.Platform, string>> = {
  darwin: `brew install openjdk@${minVersion}`,
  linux: `sudo apt-get install openjdk-${minVersion}-jre-headless`,
  win32: `winget install EclipseAdoptium.Temurin.${minVersion}.JRE`,
};

const getInstallHint = () =>
  installations[process.platform] ?? `install Java ${minVersion} from https://adoptium.net`;

/** Reports that no usable Java is installed. */
export class NoJava extends Problem {}

/**
 * Creates the error. If JAVA_HOME is set, installing another Java has no effect, so the message
 * names the variable.
 */
function createJavaProblem(formatFault: (where: string) => string): NoJava {
  const home = process.env.JAVA_HOME;
  const where = home ? `in JAVA_HOME (${home})` : 'here';
  const first = home ? 'set it to another Java, or unset it. To install one: ' : '';
  return new NoJava(
    `Java ${minVersion} or newer is needed, and ${formatFault(where)}: ${first}${getInstallHint()}`,
  );
}

export const createMissingJavaProblem = () =>
  createJavaProblem((where) => `there is no java ${where}`);

export const createOldJavaProblem = () =>
  createJavaProblem((where) => `the java ${where} is older`);
