export { openPdfDesk, type PdfDesk, PdfDeskBusyError } from './pdf-desk.ts'
export type { Sheet, SheetRow } from './write-pdf.ts'
