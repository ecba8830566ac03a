/** Pages of this feature; each is fetched when it is first opened. */
export const loadSetupPage = () => import('./setup-page.tsx').then((module) => module.SetupPage)

export { isDemoArrival } from './demo-arrival.ts'
export { OrganisationParts } from './organisation-parts.tsx'
