/** How the recovery tool is called, for both the command of the product and the tool as one file. */
export const RECOVER_USAGE = [
  'recover new-identity <file>',
  'recover verify --kit <file> --identity <file> [--identity <file> ...] [--out <drill file>] [--addresses <number>] [--fingerprint <hex>] [--lang en-US|zh-CN]',
  'recover sweep --kit <file> --identity <file> [--identity <file> ...] --plan <file> --out <file> [--confirm <words>] [--fingerprint <hex>] [--lang en-US|zh-CN]',
  'recover instructions --kit <file> --out <file> [--lang en-US|zh-CN]',
]
