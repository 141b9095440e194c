// Looks at files as the page to submit does: [{facts, bytes}] from standard input, problems to
// standard output.
import { pathToFileURL } from "node:url";

const { lookAt } = await import(pathToFileURL(process.argv[2]));
let given = "";
for await (const part of process.stdin) given += part;
const seen = [];
for (const { facts, bytes } of JSON.parse(given)) {
  seen.push((await lookAt(new Blob([Buffer.from(bytes, "base64")]), facts)).problems);
}
process.stdout.write(JSON.stringify(seen));
