import type { ConsoleFeature } from '@holdfast/features/console-feature'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadSetupPage = () => import('./setup-page.tsx').then((module) => module.SetupPage)

export { isDemoArrival } from './demo-arrival.ts'
export { OrganisationParts } from './organisation-parts.tsx'

export const feature: ConsoleFeature = {
  settings: [
    {
      key: 'organisation',
      label: { key: 'settings.organisation' },
      order: 70,
      load: () => import('./organisation-settings.tsx').then((module) => module.OrganisationSettings),
    },
  ],
}
