// Imports a bundle and calls its handler once. Prints the CPU milliseconds of both, and the modules
// that Node has loaded.
const [, , bundle, event] = process.argv;
const start = process.cpuUsage();
const { handler } = require(bundle);
handler(JSON.parse(event), { awsRequestId: 'x', getRemainingTimeInMillis: () => 10_000 }).then(
  (reply) => {
    const { user, system } = process.cpuUsage(start);
    const modules = process.moduleLoadList;
    const isExpected = reply.statusCode === 201 || reply.principalId === 'ann';
    const result = { milliseconds: (user + system) / 1000, isExpected, modules };
    console.log(`\n${JSON.stringify(result)}`);
  },
);
