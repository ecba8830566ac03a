/** The product's sign: three holders of one key, of whom two act together. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="hf-mark">
      <rect width="32" height="32" rx="8" fill="var(--hf-accent)" />
      <path d="M16 6.5v7.2M16 13.7 9 23M16 13.7 23 23" fill="none" stroke="var(--hf-on-accent)" strokeWidth="2.4" strokeLinecap="round" />
      <circle cx="16" cy="13.7" r="3.1" fill="var(--hf-on-accent)" />
      <circle cx="9" cy="23.4" r="2.5" fill="var(--hf-on-accent)" />
      <circle cx="23" cy="23.4" r="2.5" fill="var(--hf-on-accent)" />
      <circle cx="16" cy="6.9" r="2.5" fill="var(--hf-on-accent)" opacity=".55" />
    </svg>
  )
}
