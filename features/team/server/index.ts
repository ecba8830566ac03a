export { keyPageCalls } from './key-links.ts'
export { teamEndpoints, type TeamSession } from './routes.ts'
