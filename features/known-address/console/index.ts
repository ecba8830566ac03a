export { GuardedAddress, SuspiciousNote } from './guarded-address.tsx'
