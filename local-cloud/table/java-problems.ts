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

/** Thrown if no usable Java is installed. */
export class NoJava extends Problem {}

/**
 * Creates the error. If JAVA_HOME is set, the message names it, because installing another Java
 * would then have no effect.
 */
function createJavaProblem(formatFault: (where: string) => string): NoJava {
  const home = process.env.JAVA_HOME;
  const where = home ? `in JAVA_HOME (${home})` : 'on the PATH';
  const first = home ? 'set JAVA_HOME to another Java or unset it. To install Java: ' : '';
  return new NoJava(
    `Java ${minVersion} or newer is needed, but ${formatFault(where)}: ${first}${getInstallHint()}`,
  );
}

export const createMissingJavaProblem = () =>
  createJavaProblem((where) => `no java was found ${where}`);

export const createOldJavaProblem = () =>
  createJavaProblem((where) => `the java ${where} is older`);
