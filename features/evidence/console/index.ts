export { useSignerReason } from './signer-reason.ts'
export { type EvidenceItem, EvidencePart } from './evidence-part.tsx'
