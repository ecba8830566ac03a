import { isEcdsa } from '@holdfast/mpc'

/** The steps by which a wallet's key comes to be, in order. Kept with the key as JSON, so that a crash leaves them as they were. */
export const KEY_STEPS = ['generate', 'setup_1_2', 'setup_1_3', 'setup_2_3', 'attest', 'kit'] as const
export type KeyStep = (typeof KEY_STEPS)[number]
export type StepState = 'waiting' | 'running' | 'done' | 'failed'

export type KeyProgress = {
  steps: { name: KeyStep; state: StepState; at: number | null }[]
  /** Why the last try of the present step failed, in words. */
  reason: string | null
  /** How often the key was begun anew under another id. */
  generations: number
}

export function newProgress(protocol: string, generations: number): KeyProgress {
  return { steps: stepsOf(protocol).map((name) => ({ name, state: 'waiting', at: null })), reason: null, generations }
}

/** The progress of an epoch that came to be by new shares of a key there was. */
export function finishedProgress(protocol: string, at: number): KeyProgress {
  return { steps: stepsOf(protocol).map((name) => ({ name, state: 'done', at })), reason: null, generations: 0 }
}

/** Only ECDSA keys have set-ups of pairs. */
const stepsOf = (protocol: string): KeyStep[] => KEY_STEPS.filter((name) => isEcdsa(protocol) || !name.startsWith('setup'))

export function readProgress(json: unknown): KeyProgress {
  const progress = json as KeyProgress
  if (!Array.isArray(progress?.steps) || progress.steps.length === 0) throw new Error('the progress of a key is not as it was written')
  return progress
}

/** The first step that is not done, or undefined if the key is finished. */
export function nextStep(progress: KeyProgress): KeyStep | undefined {
  return progress.steps.find((step) => step.state !== 'done')?.name
}

/** The progress with one step in another state. */
export function withStep(progress: KeyProgress, name: KeyStep, state: StepState, at: number, reason: string | null = null): KeyProgress {
  return { ...progress, reason, steps: progress.steps.map((step) => (step.name === name ? { name, state, at } : step)) }
}

/** The two parties of a pair set-up step. */
export function pairOf(step: KeyStep): [bigint, bigint] | undefined {
  const [, one, other] = /^setup_(\d)_(\d)$/.exec(step) ?? []
  return one && other ? [BigInt(one), BigInt(other)] : undefined
}
