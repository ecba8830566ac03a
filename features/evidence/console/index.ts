export { type EvidenceItem, EvidencePart } from './evidence-part.tsx'
