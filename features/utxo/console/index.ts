export { CoinsPart } from './coins-part.tsx'
