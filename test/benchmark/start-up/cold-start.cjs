// Imports a bundle, calls its handler once, and prints the CPU milliseconds of both.
const [, , bundle, event] = process.argv;
const start = process.cpuUsage();
const { handler } = require(bundle);
handler(JSON.parse(event), { awsRequestId: 'x', getRemainingTimeInMillis: () => 10_000 }).then(
  (reply) => {
    const { user, system } = process.cpuUsage(start);
    const isExpected = reply.statusCode === 201 || reply.principalId === 'ann';
    console.log(`\n${JSON.stringify({ milliseconds: (user + system) / 1000, isExpected })}`);
  },
);
