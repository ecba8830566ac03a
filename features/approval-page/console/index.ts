export { ApprovalLink, useApprovalLinks } from './approval-link.tsx'
