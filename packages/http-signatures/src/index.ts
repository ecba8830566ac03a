export { readSignature, type ReadSignature, SignatureFault } from './read-signature.ts'
export { type Message, signatureBase } from './signature-base.ts'
export { type Components, componentsOf, SIGNING_ALGORITHMS, type SigningAlgorithm, signatureParams } from './signature-params.ts'
