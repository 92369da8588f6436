// Runs before each program of the project, and must itself run on any Node version.
if (!process.features.typescript) {
  console.error(
    'Node 22.18 or newer is required, but this is ' +
      process.version +
      ' (' +
      process.execPath +
      '): see https://nodejs.org, or on Linux run npm ci, which installs it.',
  );
  process.exit(1);
}
