import { expect, test } from 'vitest';
import { extractSymbols } from './extractSymbols.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';

/** `line kind Container.name`, with a `+` for what other files see. */
async function symbolsOf(file: string, text: string): Promise<readonly string[]> {
  const language = languageOf(file);
  if (!language) throw new Error(`no language for ${file}`);
  const grammar = await loadGrammar(language.grammar);
  const tree = grammar.parse(text, 10_000);
  if (!tree) throw new Error('not parsed');
  try {
    const symbols = extractSymbols(tree, text, language.name, grammar) ?? [];
    return symbols.map(
      ({ line, kind, name, container, exported }) =>
        `${line} ${kind} ${container === undefined ? '' : `${container}.`}${name}${exported ? ' +' : ''}`,
    );
  } finally {
    tree.delete();
  }
}

test('TypeScript', async () => {
  const text = `export class Store<T> extends Base {
  private items = new Map<string, T>();
  static readonly limit = 5;
  constructor(public name: string) {}
  get(key: string): T { const inner = 1; return this.items.get(key); }
  handler = () => {};
}
export interface Shape { area(): number; name: string }
export type Id = string | number;
export enum Color { Red, Green = 2 }
const hidden = 1, fn = () => {};
let count = 0;
export const shown = 2;
function outer() { function inner() {} }
export default outer;
export abstract class A { abstract run(): void }
declare module 'x' { function inModule(): void }
namespace N { export const inside = 1; export function f() {} }
// class Comment {}
const text = 'class InString {}';
export { hidden };
`;
  expect(await symbolsOf('a.ts', text)).toEqual([
    '1 class Store +',
    '2 variable Store.items',
    '3 variable Store.limit +',
    '4 method Store.constructor +',
    '4 variable Store.name +',
    '5 method Store.get +',
    '6 method Store.handler +',
    '8 interface Shape +',
    '8 method Shape.area +',
    '8 variable Shape.name +',
    '9 type Id +',
    '10 enum Color +',
    '10 constant Color.Red +',
    '10 constant Color.Green +',
    '11 constant hidden +',
    '11 function fn',
    '12 variable count',
    '13 constant shown +',
    '14 function outer +',
    '14 function outer.inner',
    '16 class A +',
    '16 method A.run +',
    '17 function x.inModule',
    '18 constant N.inside +',
    '18 function N.f +',
    '20 constant text',
  ]);
});

test('TSX, JavaScript and JSX', async () => {
  expect(await symbolsOf('a.tsx', 'export const App = () => <p>class Fake</p>;\ntype Props = {};\n')).toEqual([
    '1 function App +',
    '2 type Props',
  ]);
  const text = `class A { #secret = 1; static make() {} get size() { return 1; } }
function* gen() {}
var old = function () {};
exports.shared = function () {};
Foo.prototype.bar = function () {};
const obj = { key: () => {}, method() {} };
const { a, b: c } = options(require('x'));
`;
  expect(await symbolsOf('a.cjs', text)).toEqual([
    '1 class A',
    '1 variable A.#secret',
    '1 method A.make +',
    '1 method A.size +',
    '2 function gen',
    '3 function old',
    '4 function shared +',
    '5 method Foo.bar +',
    '6 constant obj',
    '6 method obj.key',
    '6 method obj.method',
    '7 constant a',
    '7 constant c',
  ]);
  expect(await symbolsOf('a.jsx', 'function View() { return <b/>; }')).toEqual(['1 function View']);
});

test('Python', async () => {
  const text = `MAX = 5
value = 1
value = 2
class A(Base):
    field: int = 3
    def run(self): pass
    @property
    def _hidden(self): pass
    class Inner: pass
async def main():
    def local(): pass
short = lambda x: x
"""
class InString: pass
"""
`;
  expect(await symbolsOf('a.py', text)).toEqual([
    '1 constant MAX +',
    '2 variable value +',
    '4 class A +',
    '5 variable A.field +',
    '6 method A.run +',
    '8 method A._hidden',
    '9 class A.Inner +',
    '10 function main +',
    '11 function main.local +',
    '12 function short +',
  ]);
});

test('Go', async () => {
  const text = `package main
const Pi, e = 3, 2
var (
	x int
	Y string
)
type Point struct { X, y int }
type Shape interface { Area() float64 }
type ID = string
func New() *Point { return nil }
func (p *Point) Move(dx int) {}
func (l List[T]) len() int { return 0 }
`;
  expect(await symbolsOf('a.go', text)).toEqual([
    '2 constant Pi +',
    '2 constant e',
    '4 variable x',
    '5 variable Y +',
    '7 struct Point +',
    '7 variable Point.X +',
    '7 variable Point.y',
    '8 interface Shape +',
    '8 method Shape.Area +',
    '9 type ID +',
    '10 function New +',
    '11 method Point.Move +',
    '12 method List.len',
  ]);
});

test('Rust', async () => {
  const text = `pub struct Point<T> { pub x: T, y: T }
enum Dir { Up, Down(u8) }
pub trait Draw { fn draw(&self); const N: u8; }
impl<T> Point<T> { pub fn new() -> Self { todo!() } fn hidden(&self) {} }
impl Draw for Dir { fn draw(&self) {} }
mod inner { pub fn free() {} }
pub const LIMIT: usize = 5;
static mut COUNT: u8 = 0;
type Alias = Point<u8>;
macro_rules! mac { () => {} }
`;
  expect(await symbolsOf('a.rs', text)).toEqual([
    '1 struct Point +',
    '1 variable Point.x +',
    '1 variable Point.y',
    '2 enum Dir',
    '2 constant Dir.Up +',
    '2 constant Dir.Down +',
    '3 trait Draw +',
    '3 method Draw.draw',
    '3 constant Draw.N',
    '4 method Point.new +',
    '4 method Point.hidden',
    '5 method Dir.draw',
    '6 function inner.free +',
    '7 constant LIMIT +',
    '8 constant COUNT',
    '9 type Alias',
    '10 function mac +',
  ]);
});

test('Java', async () => {
  const text = `package x;
public class A<T> {
  public static final int MAX = 3;
  private String name;
  public A(int x) {}
  void run() { int local = 1; }
  enum Color { RED, GREEN }
  record Pair(int a, int b) {}
}
interface I { int size(); }
`;
  expect(await symbolsOf('A.java', text)).toEqual([
    '2 class A +',
    '3 constant A.MAX +',
    '4 variable A.name',
    '5 method A.A +',
    '6 method A.run',
    '7 enum A.Color',
    '7 constant A.Color.RED +',
    '7 constant A.Color.GREEN +',
    '8 class A.Pair',
    '8 variable A.Pair.a +',
    '8 variable A.Pair.b +',
    '10 interface I',
    '10 method I.size +',
  ]);
});

test('C', async () => {
  const text = `#define LIMIT 5
#define SQ(x) ((x) * (x))
struct point { int x, *y; };
typedef struct { int a; } pair_t;
typedef int (*callback)(void);
enum color { RED, GREEN };
static int count = 0;
int prototype(int a);
char *name_of(struct point *p) { int local; return 0; }
static void hidden(void) {}
`;
  expect(await symbolsOf('a.c', text)).toEqual([
    '1 constant LIMIT +',
    '2 function SQ +',
    '3 struct point +',
    '3 variable point.x +',
    '3 variable point.y +',
    '4 variable pair_t.a +',
    '4 type pair_t +',
    '5 type callback +',
    '6 enum color +',
    '6 constant color.RED +',
    '6 constant color.GREEN +',
    '7 variable count',
    '9 function name_of +',
    '10 function hidden',
  ]);
});

test('C++', async () => {
  const text = `namespace geo {
template <typename T> class Shape : public Base {
 public:
  Shape();
  virtual ~Shape() {}
  double area() const;
  T &ref() { return r; }
  bool operator==(const Shape &o) const { return true; }
 private:
  T r;
};
using Alias = Shape<int>;
}
double geo::Shape<int>::area() const { return 0; }
int main() { auto f = [] { return 1; }; return f(); }
constexpr int kMax = 3;
`;
  expect(await symbolsOf('a.cpp', text)).toEqual([
    '2 class geo.Shape +',
    '4 method geo.Shape.Shape +',
    '5 method geo.Shape.~Shape +',
    '6 method geo.Shape.area +',
    '7 method geo.Shape.ref +',
    '8 method geo.Shape.operator== +',
    '10 variable geo.Shape.r +',
    '12 type geo.Alias +',
    '14 method geo.Shape.area +',
    '15 function main +',
    '16 constant kMax +',
  ]);
});

test('C#', async () => {
  const text = `namespace App {
  public class A {
    private int count;
    public const int Max = 3;
    public string Name { get; set; }
    public A() {}
    void Run() { void Local() {} }
    public delegate void Done();
  }
  struct S { }
  interface I { void F(); }
  public enum E { One, Two }
  public record R(int X);
}
`;
  expect(await symbolsOf('A.cs', text)).toEqual([
    '2 class App.A +',
    '3 variable App.A.count',
    '4 constant App.A.Max +',
    '5 variable App.A.Name +',
    '6 method App.A.A +',
    '7 method App.A.Run',
    '7 function App.A.Run.Local',
    '8 type App.A.Done +',
    '10 struct App.S',
    '11 interface App.I',
    '11 method App.I.F +',
    '12 enum App.E +',
    '12 constant App.E.One +',
    '12 constant App.E.Two +',
    '13 class App.R +',
    '13 variable App.R.X +',
  ]);
});

test('Ruby', async () => {
  const text = `module Tools
  LIMIT = 5
  class Saw < Tool
    attr_reader :teeth, :name
    def initialize(a); end
    def self.build; end
    def cut?; end
  end
end
def top; end
# class Comment; end
`;
  expect(await symbolsOf('a.rb', text)).toEqual([
    '1 class Tools +',
    '2 constant Tools.LIMIT +',
    '3 class Tools.Saw +',
    '4 variable Tools.Saw.teeth +',
    '4 variable Tools.Saw.name +',
    '5 method Tools.Saw.initialize +',
    '6 method Tools.Saw.build +',
    '7 method Tools.Saw.cut? +',
    '10 function top +',
  ]);
});

test('PHP', async () => {
  const text = `<p>class Html {}</p>
<?php
namespace App;
const TOP = 1;
interface I { public function f(); }
trait T { private $x = 1; }
final class A extends B implements I {
  const LIMIT = 3;
  protected static $count = 0;
  public function __construct(private string $name) {}
  private function hidden() {}
}
enum Suit: string { case Hearts = 'H'; }
function top() { $local = 1; }
$global = 2;
`;
  expect(await symbolsOf('a.php', text)).toEqual([
    '4 constant TOP +',
    '5 interface I +',
    '5 method I.f +',
    '6 trait T +',
    '6 variable T.x',
    '7 class A +',
    '8 constant A.LIMIT +',
    '9 variable A.count',
    '10 method A.__construct +',
    '10 variable A.name',
    '11 method A.hidden',
    '13 enum Suit +',
    '13 constant Suit.Hearts +',
    '14 function top +',
    '15 variable global +',
  ]);
});
