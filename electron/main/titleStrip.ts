import type { Settings } from '../../shared/model/settings.ts';

/** What is read of the system's theme (Electron's `nativeTheme`). */
export interface SystemTheme {
  readonly shouldUseDarkColors: boolean;
  readonly shouldUseHighContrastColors: boolean;
}

/** The header's ground and ink in each theme (tokens.css: frame, text): the system draws its buttons into it. */
export const titleStrips = {
  dark: { color: '#101114', symbolColor: '#e3e5e8' },
  light: { color: '#f0f0f3', symbolColor: '#1c2024' },
  contrast: { color: '#000000', symbolColor: '#ffffff' },
} as const;

/** The strip of the theme that the page shows under this setting (`renderer/theme/useTheme.ts`). */
export function titleStripOf(
  theme: Settings['theme'],
  system: SystemTheme,
): (typeof titleStrips)[keyof typeof titleStrips] {
  if (theme !== 'system') return titleStrips[theme];
  if (system.shouldUseHighContrastColors) return titleStrips.contrast;
  return system.shouldUseDarkColors ? titleStrips.dark : titleStrips.light;
}
