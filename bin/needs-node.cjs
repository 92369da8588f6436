// Required before each program of ours. It has to run on any Node, however old: that of the rest may be too old for it.
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
