export { LastScreening } from './last-screening.tsx'
export { Screenings } from './screenings.tsx'
