//! The keyboard protocols that a program asked for: kitty's flags, a stack per screen, and xterm's
//! modifyOtherKeys.

/// Flags that a screen may stack; the oldest go first.
const MAX_STACK: usize = 16;
/// The flags that exist.
const FLAGS: u16 = 0b1_1111;

/// What keys are to be encoded as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::terminal) struct Keyboard {
    /// Flags in force and those below them, of the primary and the alternate screen.
    stacks: [Vec<u8>; 2],
    current: [u8; 2],
    alternate: bool,
    other_keys: u8,
}

impl Keyboard {
    /// Flags of the kitty protocol in force; 0: legacy keys.
    pub(in crate::terminal) const fn flags(&self) -> u8 {
        self.current[self.alternate as usize]
    }

    /// Level of xterm's modifyOtherKeys, 0 to 2.
    pub(in crate::terminal) const fn other_keys(&self) -> u8 {
        self.other_keys
    }

    /// The other screen is shown.
    pub(in crate::terminal) fn switch(&mut self, alternate: bool) {
        self.alternate = alternate;
    }

    /// `CSI > flags u`.
    pub(super) fn push(&mut self, flags: u16) {
        let screen = usize::from(self.alternate);
        if self.stacks[screen].len() == MAX_STACK {
            self.stacks[screen].remove(0);
        }
        self.stacks[screen].push(self.current[screen]);
        self.current[screen] = (flags & FLAGS) as u8;
    }

    /// `CSI < count u`. Popping more than there is leaves legacy keys.
    pub(super) fn pop(&mut self, count: u16) {
        let screen = usize::from(self.alternate);
        for _ in 0..count.clamp(1, MAX_STACK as u16 + 1) {
            self.current[screen] = self.stacks[screen].pop().unwrap_or(0);
        }
    }

    /// `CSI = flags ; way u`: set them, add them, or take them away.
    pub(super) fn set(&mut self, flags: u16, way: u16) {
        let flags = (flags & FLAGS) as u8;
        let current = &mut self.current[usize::from(self.alternate)];
        match way {
            0 | 1 => *current = flags,
            2 => *current |= flags,
            3 => *current &= !flags,
            _ => {}
        }
    }

    /// `CSI > 4 ; level m`.
    pub(super) fn set_other_keys(&mut self, level: u16) {
        self.other_keys = level.min(2) as u8;
    }

    /// DECSTR leaves kitty's flags alone: their owner pops them.
    pub(in crate::terminal) fn soft_reset(&mut self) {
        self.other_keys = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_stacked_per_screen() {
        let mut keyboard = Keyboard::default();
        keyboard.push(5);
        keyboard.push(0xff);
        assert_eq!(keyboard.flags(), 31);
        keyboard.switch(true);
        assert_eq!(keyboard.flags(), 0);
        keyboard.set(3, 1);
        keyboard.set(4, 2);
        keyboard.set(1, 3);
        assert_eq!(keyboard.flags(), 6);
        keyboard.switch(false);
        keyboard.pop(1);
        assert_eq!(keyboard.flags(), 5);
        keyboard.pop(0);
        assert_eq!(keyboard.flags(), 0);
        keyboard.pop(9);
        assert_eq!(keyboard.flags(), 0);
    }

    #[test]
    fn a_stack_is_bounded_and_forgets_its_oldest() {
        let mut keyboard = Keyboard::default();
        for flags in 1..=u16::from(u8::MAX) {
            keyboard.push(flags % 31);
        }
        for _ in 0..MAX_STACK {
            keyboard.pop(1);
        }
        assert!(keyboard.stacks[0].is_empty());
        keyboard.pop(u16::MAX);
        assert_eq!(keyboard.flags(), 0);
    }
}
