export { useDebounced } from './base/use-debounced.ts'
export { useUnsaved } from './drawer/use-unsaved.ts'
export { type Band, BandChart } from './chart/band-chart.tsx'
export { BarChart, type ChartBar } from './chart/bar-chart.tsx'
export { DonutChart, type Slice } from './chart/donut-chart.tsx'
export { FlowChart, type FlowDay } from './chart/flow-chart.tsx'
export { ShareChart } from './chart/share-chart.tsx'
export { TimeChart, type TimeSeries } from './chart/time-chart.tsx'
export { Address, Grouped, ShortAddress } from './value/address.tsx'
export { Amount } from './value/amount.tsx'
export { Avatar } from './value/avatar.tsx'
export { Command } from './value/command.tsx'
export { Checkbox } from './field/checkbox.tsx'
export { CopyButton } from './value/copy-button.tsx'
export { type Column, DataTable } from './table/data-table.tsx'
export { DayRange } from './field/day-range.tsx'
export { downloadFile } from './base/download.ts'
export { type Fact, Facts } from './value/facts.tsx'
export { Fingerprint } from './value/fingerprint.tsx'
export { Hint } from './base/hint.tsx'
export { Label } from './base/label.tsx'
export { fetchMended, type LazyPart, lazyPart, mendPartsBy } from './base/lazy-part.ts'
export { FileChooser } from './field/file-chooser.tsx'
export { FileField } from './field/file-field.tsx'
export { ManyPicker } from './field/many-picker.tsx'
export { Note, type NoteTone } from './feedback/note.tsx'
export { PageHeader } from './base/page-header.tsx'
export { Pager, type Paging } from './table/pager.tsx'
export { PickField } from './field/pick-field.tsx'
export { FilterPicker, Picker, type PickerOption } from './field/picker.tsx'
export { closePopup, Popup } from './base/popup.tsx'
export { MoneyMovesContext } from './format/money-moves.ts'
export { Qr } from './value/qr.tsx'
export { EmptyState, ErrorState, LoadingState } from './feedback/states.tsx'
export { StatusTag, type Tone } from './feedback/status-tag.tsx'
export { RelativeTime, Time, useLocale, useNow } from './value/time.tsx'
export { Timeline, type TimelineItem } from './value/timeline.tsx'
export { createToaster, type Toaster } from './feedback/toast-store.ts'
export { ToastContext, ToastHost, useToast } from './feedback/toast.tsx'
export { useIsPhone, useMediaQuery } from './base/use-media-query.ts'
export { bringIntoView } from './base/bring-into-view.ts'
export { Button, ButtonLink, type ButtonVariant } from './base/button.tsx'
export { Tabs } from './base/tabs.tsx'
export { Field, SelectField, TextField } from './field/text-field.tsx'
export { TextFilter } from './field/text-filter.tsx'
export { useTextForm } from './form/use-text-form.ts'
export { inSentence } from './form/text-rules.ts'
export { askToDiscard, confirm, type ConfirmOptions, type ConfirmResult } from './drawer/confirm-dialog.tsx'
export { REMARK_LIMIT } from './drawer/confirm-rules.ts'
export { openScanDrawer } from './scan/open-scan-drawer.tsx'
export { createDrawerStack } from './drawer/drawer-stack.ts'
export { type DrawerContent, DrawerContext, type Drawers, useDrawerPage, useDrawers, useDrawerTitle } from './drawer/drawer-context.ts'
export { DrawerHost } from './drawer/drawer-host.tsx'
export { lazyDrawerBody } from './drawer/lazy-drawer-body.tsx'
export { DrawerForm } from './drawer/drawer-form.tsx'
export { DrawerBody, DrawerFooter } from './drawer/drawer-parts.tsx'
export { CheckedFooter, useChecked } from './form/checked-form.tsx'
export { SentPage } from './drawer/sent-page.tsx'
export { ExportMenu } from './export/export-menu.tsx'
export { saveTable } from './export/save-table.ts'
export { fromBase64, toBase64 } from './format/base64.ts'
export { exactAmount, exactMoney, MISSING, priceMoney, summaryMoney } from './format/format-number.ts'
export { formatDay, formatTime, relativeTime } from './format/format-time.ts'
export { plainText } from './format/hostile-text.ts'
export { groupsOfFour, shortAddress } from './format/short-address.ts'
export { readLanguage, writeLanguage } from './language/language-cookie.ts'
export { type CookieLanguage, FALLBACK_LOCALE, type Locale, LOCALES, loginPath, toCookieLanguage } from './language/locale.ts'
export { ThemeProvider, useTheme } from './theme/theme-provider.tsx'
export { type ThemeChoice } from './theme/theme-store.ts'
export { usePaletteSource } from './palette/palette-context.ts'
export { type PaletteItem, type PaletteSource } from './palette/palette-registry.ts'
export { Palette } from './palette/palette.tsx'
export { letterKeys, Shortcut, useLetterKeys, usePaletteShortcuts, useShortcuts } from './palette/shortcut.tsx'
export {
  IconCheck,
  IconClose,
  IconMore,
  IconPlus,
  IconInfo,
  IconWarning,
  IconError,
  IconDone,
  IconCopy,
  IconTrash,
  IconScan,
  IconKey,
  IconLock,
  IconDevice,
  IconGlobe,
  IconSun,
  IconMoon,
  IconGrid,
  IconWallet,
  IconSwap,
  IconTask,
  IconBuilding,
  IconLeave,
  IconEdit,
  IconDown,
  IconUp,
  IconRight,
  IconExternal,
  IconDownload,
  IconUpload,
  IconSearch,
  IconBolt,
  IconSliders,
  IconChart,
  IconTable,
  IconChevron,
  IconBack,
  IconForward,
  drawing,
} from './base/icons.tsx'
