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

export class NoJava extends Problem {}

/**
 * Creates the error for a missing or outdated Java installation. Names JAVA_HOME if it is set,
 * because installing another Java version would then have no effect.
 */
function createJavaProblem(formatFault: (location: string) => string): NoJava {
  const home = process.env.JAVA_HOME;
  const location = home ? `in JAVA_HOME (${home})` : 'on the PATH';
  const first = home
    ? 'set JAVA_HOME to another Java installation, or unset it. To install Java: '
    : '';
  return new NoJava(
    `Java ${minVersion} or newer is needed, but ${formatFault(location)}: ${first}${getInstallHint()}`,
  );
}

export const createMissingJavaProblem = () =>
  createJavaProblem((location) => `no java was found ${location}`);

export const createOldJavaProblem = () =>
  createJavaProblem((location) => `the Java installation ${location} is older`);
