import { drawing } from '@holdfast/ui'

const star = <path d="m12 4 2.5 5.1 5.6.8-4 3.9.9 5.6-5-2.6-5 2.6.9-5.6-4-3.9 5.6-.8z" />
const pin = <path d="M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6" />
const eye = <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />

export const IconFunnel = drawing(<path d="M4 5.500h16l-6.200 7.200v5.300l-3.600 1.800v-7.100z" />)
export const IconStar = drawing(star)
export const IconStarred = drawing(<g fill="currentColor">{star}</g>)
export const IconPin = drawing(pin)
export const IconPinned = drawing(<g fill="currentColor">{pin}</g>)
export const IconEye = drawing(
  <>
    {eye}
    <circle cx="12" cy="12" r="2.8" />
  </>,
)
export const IconEyeOff = drawing(
  <>
    {eye}
    <path d="M4 20 20 4" />
  </>,
)
export const IconArchive = drawing(<path d="M3.5 5h17v4h-17zM5 9v10h14V9M12 11v5m-2.5-2.5L12 16l2.5-2.5" />)
export const IconRestore = drawing(<path d="M3.5 5h17v4h-17zM5 9v10h14V9M12 17v-5m-2.5 2.5L12 12l2.5 2.5" />)
export const IconQr = drawing(
  <>
    <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4z" />
    <path d="M14 14h2v2M20 14v2M14 20h2M18 18h2v2" />
  </>,
)
