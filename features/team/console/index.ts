export { PageKeyNote } from './page-key-note.tsx'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadTeamPage = () => import('./team-page.tsx').then((module) => module.TeamPage)
export const loadLoginHistoryPage = () => import('./login-history-page.tsx').then((module) => module.LoginHistoryPage)
