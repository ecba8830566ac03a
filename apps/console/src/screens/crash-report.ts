export type CrashReport = { reference: string; text: string }

/** What a person can pass on about a failure in their browser: where, when and what, and nothing of theirs. */
export function crashReport(error: unknown, { path, nowMs, randomBytes }: { path: string; nowMs: number; randomBytes: Uint8Array }): CrashReport {
  const reference = [...randomBytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
  const what = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
  return { reference, text: [`Reference ${reference}`, new Date(nowMs).toISOString(), path, what].join('\n') }
}
