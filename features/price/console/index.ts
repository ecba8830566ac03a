export { useFiat } from './fiat-choice.ts'
export { FiatField } from './fiat-field.tsx'
