export { readSignature, type ReadSignature, SignatureFault } from './read-signature.ts'
export { type Message, signatureBase } from './signature-base.ts'
export { type Components, componentsOf, signatureParams } from './signature-params.ts'
