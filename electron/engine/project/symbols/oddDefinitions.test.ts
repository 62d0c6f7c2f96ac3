import { expect, test } from 'vitest';
import { definitionsOf } from './definitionsOf.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';

/** `kind Container.name`, with a `+` for what other files see. */
async function symbolsOf(file: string, text: string): Promise<readonly string[]> {
  const language = languageOf(file);
  if (!language) throw new Error(`no language for ${file}`);
  const symbols = definitionsOf(text, language.name, await loadGrammar(language.grammar), 10_000) ?? [];
  return symbols.map(
    ({ kind, name, container, exported }) =>
      `${kind} ${container === undefined ? '' : `${container}.`}${name}${exported ? ' +' : ''}`,
  );
}

const cases: readonly (readonly [file: string, text: string, symbols: readonly string[]])[] = [
  [
    'a.js',
    `const fs = require('fs'); const { join, x: renamed } = require('path'); const stat = require('fs').promises.stat; const lazy = await import('./y.js'); var old = require('./old'), kept = 1; const log = require('debug')('app');`,
    ['variable kept', 'constant log'],
  ],
  [
    'a.ts',
    `let { a, b: c, d = 1, ...rest } = f(); var [e, g = 2, ...h] = f(); const { i } = f(), [j] = f(); export let { k } = f(); export const [l] = f();`,
    [
      'variable a',
      'variable c',
      'variable d',
      'variable rest',
      'variable e',
      'variable g',
      'variable h',
      'constant i',
      'constant j',
      'variable k +',
      'constant l +',
    ],
  ],
  [
    'a.js',
    'class A { #a = 1; #b() {} static #c() {} get #d() { return 1; } [`e`]() {} } module.exports = function (f) {};',
    ['class A', 'variable A.#a', 'method A.#b', 'method A.#c', 'method A.#d', 'method A.[`e`] +', 'function exports +'],
  ],
  ['a.js', 'export default function () {}', ['function default +']],
  ['a.js', 'export default async (a) => {};', ['function default +']],
  ['a.ts', 'export default class<T> extends B<T> { c() {} }', ['class default +', 'method default.c +']],
  ['a.ts', 'export default defineConfig({ a() {} });', ['constant default +', 'method default.a']],
  ['a.js', 'export default { name: 1, run() {} };', ['constant default +', 'method default.run +']],
  ['a.js', 'function named() {} export default named;', ['function named +']],
  [
    'a.cpp',
    'template<class T> class B { template<class U> U as() const; template<class U> U to() { return U(); } }; template<class T> template<class U> U B<T>::as() const { return U(); }',
    ['class B +', 'method B.as +', 'method B.to +', 'method B.as +'],
  ],
  [
    'a.ts',
    `abstract class A<T> { @dec() readonly a!: T; declare b: number; static c = async <U>(x: U) => x; get d() { return 1; } abstract e(): void; f(a: string): void; f(a: any) {} [Symbol.iterator]() {} accessor g = 1; #h = 2; }`,
    [
      'class A',
      'variable A.a +',
      'variable A.b +',
      'method A.c +',
      'method A.d +',
      'method A.e +',
      'method A.f +',
      'method A.f +',
      'method A.[Symbol.iterator] +',
      'variable A.g +',
      'variable A.#h',
    ],
  ],
  [
    'a.ts',
    `class A { constructor(private readonly a: string, public b: number, c: number) {} }`,
    ['class A', 'method A.constructor +', 'variable A.a', 'variable A.b +'],
  ],
  [
    'a.ts',
    `namespace A.B { export class C {} const d = 1; export let e = 2; export enum F { G } }`,
    ['class A.B.C +', 'constant A.B.d', 'variable A.B.e +', 'enum A.B.F +', 'constant A.B.F.G +'],
  ],
  [
    'a.ts',
    `declare global { interface Window { a: string } }
declare const B: string;
declare function c(): void;`,
    ['interface Window', 'variable Window.a +', 'constant B', 'function c'],
  ],
  [
    'a.ts',
    `export const { a, b: c, d = 1, ...e } = x, f = () => 1;
export const [g, , h] = x;`,
    ['constant a +', 'constant c +', 'constant d +', 'constant e +', 'function f +', 'constant g +', 'constant h +'],
  ],
  [
    'a.ts',
    `interface A { (x: string): void; new (x: string): A; b?(): void; readonly c?: string; get d(): string }`,
    ['interface A', 'method A.b +', 'variable A.c +', 'method A.d +'],
  ],
  [
    'a.js',
    `class A { static async *a() {} get b() {} set b(v) {} c = () => {}; #d = 1 }
A.prototype.e = function () {};
exports.f = () => {};
const g = { h() {}, i: function () {}, "j-k": () => 1 };`,
    [
      'class A',
      'method A.a +',
      'method A.b +',
      'method A.b +',
      'method A.c +',
      'variable A.#d',
      'method A.e +',
      'function f +',
      'constant g',
      'method g.h',
      'method g.i',
      'method g.j-k',
    ],
  ],
  [
    'a.js',
    `export default function a() {}
export function* b() {}
export async function c() {}
window.D = class {};`,
    ['function a +', 'function b +', 'function c +', 'class window.D +'],
  ],
  [
    'a.py',
    `@dataclass
class A(B, metaclass=C):
    x: int = 0
    LIMIT = 1
    @property
    def y(self): return 1
    @y.setter
    def y(self, v): pass
    @staticmethod
    async def z(): pass
    class Inner:
        def deep(self): pass
`,
    [
      'class A +',
      'variable A.x +',
      'constant A.LIMIT +',
      'method A.y +',
      'method A.y +',
      'method A.z +',
      'class A.Inner +',
      'method A.Inner.deep +',
    ],
  ],
  [
    'a.py',
    `A, b = 1, 2
(c, d) = 1, 2
e = f = 3
try:
    g = 1
except ImportError:
    g = None
if x:
    h = 1
else:
    i = 2
j = lambda: 1
type K[T] = list[T]
`,
    [
      'constant A +',
      'variable b +',
      'variable c +',
      'variable d +',
      'variable e +',
      'variable f +',
      'variable g +',
      'variable h +',
      'variable i +',
      'function j +',
      'type K +',
    ],
  ],
  [
    'a.go',
    `package p
type A[T any] struct { B, c int; d struct { e int } }
type F interface { G() }
type ( H int; I = string )
const ( J = iota; k )
var ( L = 1; m, n string )
func (a *A[T]) O() {}
func P[T any](a T) {}
`,
    [
      'struct A +',
      'variable A.B +',
      'variable A.c',
      'variable A.d',
      'variable A.d.e',
      'interface F +',
      'method F.G +',
      'type H +',
      'type I +',
      'constant J +',
      'constant k',
      'variable L +',
      'variable m',
      'variable n',
      'method A.O +',
      'function P +',
    ],
  ],
  [
    'a.rs',
    `pub mod a { pub struct B<T> { pub c: T } impl<T> B<T> { pub const D: u8 = 1; pub fn e() {} } }
impl fmt::Display for &B { fn f(&self) {} }
impl dyn Tr { fn g(&self) {} }
pub trait Tr { type H; const I: u8; fn j(&self); fn k() {} }
macro_rules! l { () => {} }
pub enum M { N, O(u8), P { q: u8 } }
union R { s: u8 }
static T: u8 = 1;
extern "C" { fn u(); }
`,
    [
      'struct a.B +',
      'variable a.B.c +',
      'constant a.B.D +',
      'method a.B.e +',
      'method B.f',
      'method Tr.g',
      'trait Tr +',
      'type Tr.H',
      'constant Tr.I',
      'method Tr.j',
      'method Tr.k',
      'function l +',
      'enum M +',
      'constant M.N +',
      'constant M.O +',
      'constant M.P +',
      'variable M.P.q',
      'struct R',
      'variable R.s',
      'constant T',
      'function u',
    ],
  ],
  [
    'A.java',
    `public class A<T> { static final int B = 1; int c, d[]; A() {} <U> U e(U u) { return u; } enum F { G, H { void i() {} }; int j; } record K(int l) { K { } } @interface M { String n() default ""; } interface O { int P = 1; void q(); } class R { class S {} } }`,
    [
      'class A +',
      'constant A.B',
      'variable A.c',
      'variable A.d',
      'method A.A',
      'method A.e',
      'enum A.F',
      'constant A.F.G +',
      'constant A.F.H +',
      'method A.F.H.i',
      'variable A.F.j',
      'class A.K',
      'variable A.K.l +',
      'method A.K.K',
      'interface A.M',
      'method A.M.n',
      'interface A.O',
      'constant A.O.P +',
      'method A.O.q +',
      'class A.R',
      'class A.R.S',
    ],
  ],
  [
    'a.c',
    `typedef struct { int a; } B;
typedef struct C { struct C *d; } C, *E;
struct F { int g, *h; void (*i)(int); struct { int j; } k; } l;
typedef int (*m)(int);
int (*n)(void), o[3];
int p(int);
static int *q(void) { return 0; }
int (*r(int a))(int) { return 0; }
enum { S, T };
#define U(x) x
static const int v = 1;
`,
    [
      'variable B.a +',
      'type B +',
      'struct C +',
      'variable C.d +',
      'type C +',
      'type E +',
      'struct F +',
      'variable F.g +',
      'variable F.h +',
      'variable F.i +',
      'variable F.k.j +',
      'variable F.k +',
      'variable l +',
      'type m +',
      'variable n +',
      'variable o +',
      'function q',
      'function r +',
      'constant S +',
      'constant T +',
      'function U +',
      'constant v',
    ],
  ],
  [
    'a.c',
    `int a(b, c)
  int b;
  char *c;
{
  return 1;
}
`,
    ['function a +'],
  ],
  [
    'a.cpp',
    `namespace a::b { template <class T> class C : D<T> { C(); ~C(); T e() const { return f; } bool operator==(const C&) const; operator bool() const { return true; } using g = T; enum class H { I }; static constexpr int j = 1; T f; }; namespace { int k; } }
template <class T> T a::C<T>::l() { return T(); }
M& M::operator=(const M&) { return *this; }
using n = int;
template <class T> concept o = true;
bool operator<(const M&, const M&) { return true; }
struct P final : Q { void r() override {} };
class LIB_API S : Q { void t(); };
`,
    [
      'class a.b.C +',
      'method a.b.C.C +',
      'method a.b.C.~C +',
      'method a.b.C.e +',
      'method a.b.C.operator== +',
      'method a.b.C.operator bool +',
      'type a.b.C.g +',
      'enum a.b.C.H +',
      'constant a.b.C.H.I +',
      'constant a.b.C.j +',
      'variable a.b.C.f +',
      'variable a.b.k +',
      'method a.C.l +',
      'method M.operator= +',
      'type n +',
      'type o +',
      'function operator< +',
      'struct P +',
      'method P.r +',
      'class S +',
      'method S.t +',
    ],
  ],
  [
    'a.cs',
    `namespace A.B { public class C<T> { public const int D = 1; int e, f; public string G { get; set; } public event H I; public C() {} public async Task<U> J<U>(U u) { int k() => 1; return u; } public static C<T> operator +(C<T> a, C<T> b) => a; public static explicit operator int(C<T> c) => 1; public int this[int i] => 1; void L.M() {} public delegate void N(); } }`,
    [
      'class A.B.C +',
      'constant A.B.C.D +',
      'variable A.B.C.e',
      'variable A.B.C.f',
      'variable A.B.C.G +',
      'variable A.B.C.I +',
      'method A.B.C.C +',
      'method A.B.C.J +',
      'function A.B.C.J.k',
      'method A.B.C.operator + +',
      'method A.B.C.operator int +',
      'variable A.B.C.this +',
      'method A.B.C.M',
      'type A.B.C.N +',
    ],
  ],
  [
    'a.cs',
    `public record A(string B, int C) { int d; }
public interface E { void F(); int G { get; } }
public enum H { I }
public struct J { public int K; }`,
    [
      'class A +',
      'variable A.B +',
      'variable A.C +',
      'variable A.d',
      'interface E +',
      'method E.F +',
      'variable E.G +',
      'enum H +',
      'constant H.I +',
      'struct J +',
      'variable J.K +',
    ],
  ],
  [
    'a.rb',
    `module A
  class B < C
    D = 1
    attr_accessor :e, :f
    def self.g; end
    def h?; end
    def i=(v); end
    def [](j); end
    def <=>(o); end
    class << self
      def k; end
    end
    alias l h?
    alias_method :m, :h?
    define_method(:n) { }
    private def o; end
    P = Struct.new(:q) do
      def r; end
    end
  end
end
class A::B::S; end
T, U = 1, 2
def v; end
`,
    [
      'class A +',
      'class A.B +',
      'constant A.B.D +',
      'variable A.B.e +',
      'variable A.B.f +',
      'method A.B.g +',
      'method A.B.h? +',
      'method A.B.i= +',
      'method A.B.[] +',
      'method A.B.<=> +',
      'method A.B.k +',
      'method A.B.l +',
      'method A.B.m +',
      'method A.B.n +',
      'method A.B.o +',
      'constant A.B.P +',
      'method A.B.P.r +',
      'class A.B.S +',
      'constant T +',
      'constant U +',
      'function v +',
    ],
  ],
  [
    'a.php',
    `<?php
namespace A;
const B = 1;
define("C", 2);
abstract class D { use E; public const F = 1, G = 2; private static ?int $h = null; public function __construct(private string $i) {} public static function j(): static {} abstract function k(); }
trait L { public $m; function n() {} }
enum O: string { case P = "p"; const Q = self::P; function r() {} }
interface S { function t(); }
function u() {}
$v = 1;
$w = fn() => 1;
$x = new class { function y() {} };
`,
    [
      'constant B +',
      'class D +',
      'constant D.F +',
      'constant D.G +',
      'variable D.h',
      'method D.__construct +',
      'variable D.i',
      'method D.j +',
      'method D.k +',
      'trait L +',
      'variable L.m +',
      'method L.n +',
      'enum O +',
      'constant O.P +',
      'constant O.Q +',
      'method O.r +',
      'interface S +',
      'method S.t +',
      'function u +',
      'variable v +',
      'function w +',
      'variable x +',
      'method x.y +',
    ],
  ],
];

test.each(cases.map(([file, text, symbols], at) => [`${at + 1}, ${file}`, { file, text, symbols }] as const))(
  'what stands nested, generic, decorated or oddly written is found with its kind and its container: case %s',
  async (_, { file, text, symbols }) => {
    expect(await symbolsOf(file, text)).toEqual(symbols);
  },
);
