// Required before each program of the project. Must run on any Node version, to report one that is
// too old.
if (!process.features.typescript) {
  console.error(
    'Node 22.18 or newer is needed, and this is ' +
      process.version +
      ' (' +
      process.execPath +
      '): see https://nodejs.org, or run npm ci on Linux, which brings one.',
  );
  process.exit(1);
}
