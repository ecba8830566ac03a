export { type AmountBand, type Analysis, analysePolicy, type Found, type Overlap, type Shadowed } from './analyse-policy.ts'
export { type Decision, isSameDecision } from './decision.ts'
export { type PastOrder, replay, type Replayed, replayOrders } from './replay-orders.ts'
