export { keyPageCalls } from './key-links.ts'
export { readOutOfOffice } from './out-of-office.ts'
export { teamEndpoints, type TeamSession } from './routes.ts'
