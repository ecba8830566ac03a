export { ApprovalLink, useApprovalLinks } from './approval-link.tsx'
export { PhoneButton } from './phone-button.tsx'
