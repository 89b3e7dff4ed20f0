//! The bytes of one read on their way: what can pass stays where it is and is fed in one piece.

use super::engine::Engine;

/// A read in front of the engine.
pub(super) struct Window<'a, E> {
    engine: &'a mut E,
    bytes: &'a [u8],
    /// Bytes before this one were fed or dropped.
    from: usize,
    /// Bytes before this one may be fed as they are.
    upto: usize,
}

impl<'a, E: Engine> Window<'a, E> {
    pub(super) fn new(engine: &'a mut E, bytes: &'a [u8]) -> Self {
        Self { engine, bytes, from: 0, upto: 0 }
    }

    /// The next bytes pass as they are, up to this place.
    pub(super) fn pass(&mut self, upto: usize) {
        self.upto = upto;
    }

    /// The bytes up to this place are dealt with: they pass, or they are dropped.
    pub(super) fn done(&mut self, upto: usize, pass: bool) {
        if pass {
            self.pass(upto);
        } else {
            self.skip(upto);
        }
    }

    /// Bytes up to this place are dropped, after those that pass were fed.
    pub(super) fn skip(&mut self, upto: usize) {
        self.flush();
        self.from = upto;
        self.upto = upto;
    }

    /// The engine, with all fed that comes before.
    pub(super) fn engine(&mut self) -> &mut E {
        self.flush();
        self.engine
    }

    pub(super) fn flush(&mut self) {
        if self.from < self.upto {
            self.engine.feed(&self.bytes[self.from..self.upto]);
            self.from = self.upto;
        }
    }
}
