import { describe, expect, test } from 'vitest';
import { createApprovalGuard, guardMs } from './guard.ts';

describe('the approval guard', () => {
  test('ignores what happens within half a second after a card appears', () => {
    const guard = createApprovalGuard();
    guard.disturbed(1000);
    expect([1000, 1000 + guardMs - 1, 1000 + guardMs].map((at) => guard.allows(at))).toEqual([false, false, true]);
  });
  test('ignores a click that happened before the card, however late it is handled', () => {
    const guard = createApprovalGuard();
    guard.disturbed(5000);
    expect(guard.allows(4990)).toBe(false);
  });
  test('begins anew when the window comes forward', () => {
    const guard = createApprovalGuard();
    guard.disturbed(0);
    guard.disturbed(10_000);
    expect({ early: guard.allows(10_200), late: guard.allows(10_500) }).toEqual({ early: false, late: true });
  });
  test('an older disturbance never shortens a newer one', () => {
    const guard = createApprovalGuard();
    guard.disturbed(2000);
    guard.disturbed(1500);
    expect(guard.remaining(2100)).toBe(400);
  });
  test('allows at once where nothing has disturbed', () => {
    expect(createApprovalGuard().allows(0)).toBe(true);
  });
});
