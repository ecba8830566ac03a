export { AddressField } from './address-field.tsx'
export { ContactField } from './contact-field.tsx'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadPersonalBookPage = () => import('./personal-book-page.tsx').then((module) => module.PersonalBookPage)
