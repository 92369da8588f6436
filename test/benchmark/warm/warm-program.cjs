// Runs a handler, or the same table calls with the bare SDK. Both parse the event and convert the
// result to JSON. Sends the mean CPU milliseconds per run and the last reply to the parent process.
const sdk = require('@aws-sdk/client-dynamodb');

const client = new sdk.DynamoDBClient({});
const context = { awsRequestId: 'x', getRemainingTimeInMillis: () => 60_000 };

async function runBare({ body }, calls) {
  const outputs = [body && JSON.parse(body)];
  for (const { operation, input } of calls) {
    // A condition may fail, as in the handler.
    const sending = client.send(new sdk[`${operation}Command`](input));
    outputs.push(await sending.catch(({ name }) => name));
  }
  return { statusCode: 0, body: JSON.stringify(outputs) };
}

process.on('message', async ({ bundle, event, calls, times }) => {
  const act = calls ? (one) => runBare(one, calls) : (one) => require(bundle).handler(one, context);
  global.gc();
  const start = process.cpuUsage();
  let reply;
  for (let n = 0; n < times; n += 1) reply = await act(JSON.parse(event));
  const { user, system } = process.cpuUsage(start);
  process.send({ milliseconds: (user + system) / 1000 / times, reply });
});
