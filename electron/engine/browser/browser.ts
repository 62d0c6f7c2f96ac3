import type { Tab } from '../../../shared/model/brought.ts';
import type { Result } from '../../../shared/result.ts';

export interface BrowserStatus {
  readonly connected: boolean;
  /** What drives: the program, or the address of a running browser; `none` without either. */
  readonly backend: string;
  readonly tabs: number;
  readonly activeTabId?: number;
  readonly message: string;
}

export interface PageNode {
  /** Stays with the element as long as it lives; the tools take it as the selector `ref=…`. */
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states?: readonly string[];
  readonly children: readonly PageNode[];
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface FoundElement {
  readonly selector: string;
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly score: number;
  readonly rect: Rect | null;
}

/** Of one call on one tab. Without `tabId` the active tab is meant, which is made when there is none. */
export interface TabRequest {
  readonly tabId?: number | undefined;
  readonly signal: AbortSignal;
}

export type ClickTarget = { readonly selector: string } | { readonly x: number; readonly y: number };

/**
 * A real browser, started at the first call that needs it. Errors of all calls on a tab: UNAVAILABLE (with the remedy),
 * TAB_NOT_FOUND, TIMEOUT (30 s), CANCELLED.
 */
export interface Browser {
  status(): Promise<BrowserStatus>;
  tabs(): Promise<Result<readonly Tab[]>>;
  /** `url` has passed `checkUrl`. NAVIGATION_FAILED. */
  navigate(
    url: string,
    request: TabRequest,
  ): Promise<
    Result<{
      readonly tabId: number;
      readonly url: string;
      readonly title: string;
      readonly status?: number;
      readonly loaded: boolean;
      readonly redirected: boolean;
    }>
  >;
  readPage(request: TabRequest): Promise<
    Result<{
      readonly tabId: number;
      readonly url: string;
      readonly title: string;
      readonly tree: readonly PageNode[];
      readonly truncated: boolean;
    }>
  >;
  /** PNG. ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE, VALIDATION_ERROR for a selector that cannot be read. */
  screenshot(
    what: { readonly selector?: string | undefined; readonly fullPage?: boolean | undefined },
    request: TabRequest,
  ): Promise<Result<{ readonly tabId: number; readonly png: Buffer }>>;
  /** As `screenshot`. */
  click(
    target: ClickTarget,
    request: TabRequest,
  ): Promise<Result<{ readonly tabId: number; readonly x: number; readonly y: number; readonly element?: string }>>;
  /** NO_FOCUSED_ELEMENT, NOT_EDITABLE. A line break is the Enter key. */
  type(text: string, request: TabRequest): Promise<Result<{ readonly tabId: number }>>;
  find(
    query: string,
    request: TabRequest,
  ): Promise<Result<{ readonly tabId: number; readonly elements: readonly FoundElement[] }>>;
  scroll(
    direction: 'up' | 'down' | 'left' | 'right',
    pixels: number,
    request: TabRequest,
  ): Promise<Result<{ readonly tabId: number; readonly x: number; readonly y: number }>>;
  html(request: TabRequest): Promise<Result<PageText & { readonly tabId: number; readonly html: string }>>;
  markdown(request: TabRequest): Promise<Result<PageText & { readonly tabId: number; readonly markdown: string }>>;
  /** Closes the tab; `closed` is false when none was open. */
  closeTab(request: TabRequest): Promise<Result<{ readonly closed: boolean; readonly tabs: number }>>;
  dispose(): Promise<void>;
}

/** What comes with the text of a page, which is cut at 200,000 characters. */
export interface PageText {
  readonly url: string;
  readonly title: string;
  readonly truncated: boolean;
}
