import { writeFileSync } from 'node:fs'
import { mpcTranscripts } from './mpc-transcripts.ts'
import { sessionTranscripts } from './session-transcripts.ts'

/** The text of each file in test/vectors/mpc. It is the same at every run. `node test/vectors/make-mpc-vectors.ts` writes them. */
export function vectorFiles(): Map<string, string> {
  const all: Record<string, unknown[]> = { session: sessionTranscripts(), ...mpcTranscripts() }
  return new Map(Object.entries(all).map(([name, runs]) => [`${name}.json`, `${JSON.stringify({ runs }, null, 1)}\n`]))
}

if (import.meta.main) for (const [name, text] of vectorFiles()) writeFileSync(new URL(`mpc/${name}`, import.meta.url), text)
