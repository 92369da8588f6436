import { Problem } from '../../problem.ts';

/** DynamoDB Local needs it. */
const leastVersion = 17;

const installations: Partial<Record<NodeJS.Platform, string>> = {
  darwin: `brew install openjdk@${leastVersion}`,
  linux: `sudo apt-get install openjdk-${leastVersion}-jre-headless`,
  win32: `winget install EclipseAdoptium.Temurin.${leastVersion}.JRE`,
};

const cure = () =>
  installations[process.platform] ?? `install Java ${leastVersion} from https://adoptium.net`;

export const noJava = () =>
  new Problem(`Java ${leastVersion} or newer is needed, and there is no java: ${cure()}`);

export const oldJava = () =>
  new Problem(`Java ${leastVersion} or newer is needed, and the java here is older: ${cure()}`);
