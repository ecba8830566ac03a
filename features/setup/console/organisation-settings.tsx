// Apart from the part itself, which other features take from the front door: what is fetched by its own name there would come with the sign-in page.
export { OrganisationParts as OrganisationSettings } from './organisation-parts.tsx'
