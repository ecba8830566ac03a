type WalkStep = 'start' | 'approve' | 'others' | 'work' | 'prove'
export type WalkStanding = 'done' | 'now' | 'stuck' | 'ahead'

/**
 * Where the repair of a signer stands, step by step: what people do, what signers do. A step is stuck where a signer is away that it needs. `change` is undefined
 * before the repair is proposed.
 */
export function repairSteps(party: number, signers: readonly { party: number; online: boolean }[], change?: { state: string }): [WalkStep, WalkStanding][] {
  const isOnline = (each: number) => signers.find((signer) => signer.party === each)?.online === true
  const others = [1, 2, 3].filter((each) => each !== party)
  const isOver = change?.state === 'active' || change?.state === 'done'
  const isApproved = change?.state === 'approved' || isOver
  const steps: { name: WalkStep; isDone: boolean; needsSigners?: boolean }[] = [
    { name: 'start', isDone: isOnline(party) || isOver, needsSigners: true },
    { name: 'others', isDone: others.every(isOnline) || isOver, needsSigners: true },
    { name: 'approve', isDone: isApproved },
    { name: 'work', isDone: isOver },
    { name: 'prove', isDone: change?.state === 'done' },
  ]
  const next = steps.find(({ isDone }) => !isDone)?.name
  return steps.map(({ name, isDone, needsSigners }) => {
    if (isDone) return [name, 'done']
    return [name, name !== next ? 'ahead' : needsSigners ? 'stuck' : 'now']
  })
}
