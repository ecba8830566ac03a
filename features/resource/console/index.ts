export { ResourcesPart } from './resources-part.tsx'
