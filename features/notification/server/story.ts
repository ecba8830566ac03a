import type { Side } from '../contract.ts'

/** One state a record came to, as endpoints are told of it. */
export type Step = {
  /** Rises within the record; 0 if the record keeps no history, and then `marker` tells whether it is new. */
  sourceSeq: bigint
  marker: string
  /** Such as `withdraw.completed`. */
  event: string
  status: number
  atMs: number
  fields: Record<string, unknown>
}

/** A record of which endpoints are told: its states, oldest first, and how far it is confirmed now. */
export type Story = {
  side: Side
  recordId: string
  walletId: string | null
  requestId: string | null
  steps: readonly Step[]
  /** Blocks on top of it now, where that still changes. */
  progress: { done: number; step: Step } | null
}

export type Told = { sourceSeq: bigint; marker: string; confirmations: number }

/**
 * What an endpoint is still to be told of a story, oldest first. `told` is how far it was told, `sinceMs` when it began to listen
 * and `confirmationsStep` how many blocks apart it hears of confirmations (0: never).
 */
export function untoldSteps(story: Story, told: Told | undefined, sinceMs: number, confirmationsStep: number): { steps: Step[]; told: Told } {
  const steps = story.steps.filter((step) => {
    if (step.atMs < sinceMs) return false
    if (told === undefined) return true
    return step.sourceSeq > told.sourceSeq || (step.sourceSeq === 0n && step.marker !== told.marker)
  })
  const last = steps.at(-1)
  const reached: Told = {
    sourceSeq: last?.sourceSeq ?? told?.sourceSeq ?? 0n,
    marker: last?.marker ?? told?.marker ?? '',
    confirmations: Math.min(told?.confirmations ?? 0, story.progress?.done ?? 0),
  }
  const { progress } = story
  if (progress === null) return { steps, told: reached }
  if (last !== undefined) return { steps, told: { ...reached, confirmations: progress.done } }
  const isNext = confirmationsStep > 0 && Math.floor(progress.done / confirmationsStep) > Math.floor(reached.confirmations / confirmationsStep)
  // Confirmations are told of a record that was told before: a stranger to the endpoint has a state first.
  if (told === undefined || !isNext) return { steps, told: reached }
  return { steps: [progress.step], told: { ...reached, confirmations: progress.done } }
}

/** `YYYY-MM-DD HH:mm:ss` in UTC, as endpoints of this kind of interface expect it beside the milliseconds. */
export function notifyTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
