export { Screenings } from './screenings.tsx'
