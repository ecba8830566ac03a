import { isEcdsa } from '@holdfast/mpc'

/** The steps by which approved new shares of a key become the ones in use, in order. Kept with the order as JSON, so that a crash leaves them as they were. */
const CHANGE_STEPS = ['reshare', 'setup_1_2', 'setup_1_3', 'setup_2_3', 'attest', 'activate', 'kit'] as const
/** An order that changes no share is followed by each signer at once. */
const ORDER_STEPS = ['export', 'retire'] as const
export type ChangeStep = (typeof CHANGE_STEPS)[number] | (typeof ORDER_STEPS)[number]
export type StepState = 'waiting' | 'running' | 'done' | 'failed'

export type ChangeProgress = {
  steps: { name: ChangeStep; state: StepState; at: number | null }[]
  /** Why the last try of the present step failed, or what it waits for, in words. */
  reason: string | null
  /** Of an export: whose recipient each signer seals its share to. */
  holders?: ExportHolder[]
}

export type ExportHolder = { party: number; personId: string; recipient: string }

/** Only ECDSA keys have set-ups of pairs. */
export function newChangeProgress(protocol: string): ChangeProgress {
  const names = CHANGE_STEPS.filter((name) => isEcdsa(protocol) || !name.startsWith('setup'))
  return { steps: names.map((name) => ({ name, state: 'waiting', at: null })), reason: null }
}

export function newOrderProgress(action: (typeof ORDER_STEPS)[number], holders?: ExportHolder[]): ChangeProgress {
  return { steps: [{ name: action, state: 'waiting', at: null }], reason: null, ...(holders ? { holders } : {}) }
}

export function readChangeProgress(json: unknown): ChangeProgress {
  const progress = json as ChangeProgress
  if (!Array.isArray(progress?.steps) || progress.steps.length === 0) throw new Error('the progress of a key change is not as it was written')
  return progress
}

/** The first step that is not done, or undefined if all are. */
export function nextChangeStep(progress: ChangeProgress): ChangeStep | undefined {
  return progress.steps.find((step) => step.state !== 'done')?.name
}

/** The progress with one step in another state. */
export function withChangeStep(progress: ChangeProgress, name: ChangeStep, state: StepState, at: number, reason: string | null = null): ChangeProgress {
  return { ...progress, reason, steps: progress.steps.map((step) => (step.name === name ? { name, state, at } : step)) }
}

/** All steps once more from the first: what the signers made so far does not go together. */
export function begunAgain(progress: ChangeProgress, reason: string): ChangeProgress {
  return { reason, steps: progress.steps.map(({ name }) => ({ name, state: 'waiting', at: null })) }
}

/** The two parties of a pair set-up step. */
export function pairOfStep(step: ChangeStep): [bigint, bigint] | undefined {
  const [, one, other] = /^setup_(\d)_(\d)$/.exec(step) ?? []
  return one && other ? [BigInt(one), BigInt(other)] : undefined
}
