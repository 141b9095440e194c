// Submits a file by a client of openapi-fetch, whose types openapi-typescript has generated, and
// prints what it was answered. The compiler holds every line against the description.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Submission = components["schemas"]["Submission"];

const [address, token, path] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({
  baseUrl: address,
  headers: { Authorization: `Bearer ${token}` },
});

async function judged(id: string): Promise<Submission> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { data, error } = await client.GET("/api/v1/submissions/{submission_id}", {
      params: { path: { submission_id: id } },
    });
    if (error !== undefined) throw new Error(error.code);
    if (data.judged_at !== null) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(id);
}

const content = readFileSync(path);
const slug = "shop";
const team = await client.POST("/api/v1/competitions/{slug}/teams", {
  params: { path: { slug } },
  body: { name: "Team Bob" },
});
if (team.error !== undefined) throw new Error(team.error.code);

async function submit(bytes: Uint8Array): Promise<Submission> {
  const { data, error } = await client.POST("/api/v1/competitions/{slug}/submissions", {
    params: { path: { slug }, query: { filename: "typed.csv" } },
    headers: { "Content-Type": "application/octet-stream" },
    body: bytes as unknown as string,
    bodySerializer: (given: unknown) => given as BodyInit,
  });
  if (error !== undefined) throw new Error(error.code);
  return judged(data.id);
}

const scored = await submit(content);
const rejected = await submit(Buffer.from("nonsense"));
const missing = await client.GET("/api/v1/competitions/{slug}", {
  params: { path: { slug: "nowhere" } },
});
const problem: components["schemas"]["Problem"] | undefined = missing.error;
console.log(
  JSON.stringify({
    team: team.data.name,
    score: [scored.filename, scored.status, scored.public_score],
    rejected: [rejected.status, rejected.problem?.code, rejected.problem?.errors[0]?.line],
    refused: [problem?.status, problem?.code],
  }),
);
